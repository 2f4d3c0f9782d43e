/// What stands in the KV cache, as it was put there: each place (a sequence of the library) holds tokens in cells, and
/// places that share a front share its cells. The library has no way to ask for this.
import CLlama

struct CellTable {
    private struct Entry {
        var token: llama_token
        var cell: Int
    }

    let capacity: Int
    private var places: [[Entry]]
    /// How many places use a cell, by its number. Numbers are never used again.
    private var users: [Int: Int] = [:]
    private var nextCell = 0
    /// For each place at work: the most tokens it may come to hold.
    private var promised: [Int?]

    init(cells: Int, places: Int) {
        capacity = cells
        self.places = Array(repeating: [], count: places)
        promised = Array(repeating: nil, count: places)
    }

    /// Cells in use, those that are shared counted once.
    var used: Int { users.count }

    /// Tokens of a place.
    func count(of place: Int) -> Int { places[place].count }

    func tokens(of place: Int) -> [llama_token] { places[place].map(\.token) }

    /// How many tokens a place and a prompt share at the front.
    func sharedFront(of prompt: [llama_token], with place: Int) -> Int {
        zip(places[place], prompt).prefix { $0.token == $1 }.count
    }

    // MARK: - Changes

    mutating func append(_ tokens: [llama_token], to place: Int) {
        for token in tokens {
            places[place].append(Entry(token: token, cell: nextCell))
            users[nextCell] = 1
            nextCell += 1
        }
    }

    mutating func truncate(_ place: Int, to count: Int) {
        guard count < places[place].count else { return }
        for entry in places[place][count...] {
            users[entry.cell] = users[entry.cell].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        places[place].removeSubrange(count...)
    }

    /// Gives an empty place the front of another.
    mutating func share(_ count: Int, of source: Int, with place: Int) {
        precondition(places[place].isEmpty)
        places[place] = Array(places[source].prefix(count))
        for entry in places[place] { users[entry.cell, default: 0] += 1 }
    }

    /// The place goes to a request that will hold so many tokens at most.
    mutating func occupy(_ place: Int, total: Int) { promised[place] = total }

    /// The place is free again; what it holds stays until something else needs the room.
    mutating func leave(_ place: Int) { promised[place] = nil }

    /// A request takes its seat: what must be forgotten is, and what it shares is its own.
    mutating func take(_ seat: Seat, total: Int) {
        for place in seat.forgotten { truncate(place, to: 0) }
        let isOwn = seat.source == seat.place
        truncate(seat.place, to: isOwn ? seat.shared : 0)
        if !isOwn { share(seat.shared, of: seat.source, with: seat.place) }
        occupy(seat.place, total: total)
    }

    // MARK: - Places for requests

    /// Where a request is to go, and what must be done for it first, in this order.
    struct Seat: Hashable {
        var place: Int
        /// Whose front it takes over; itself, where it stands there already.
        var source: Int
        /// Tokens of that front; the rest of what the place holds is forgotten.
        var shared: Int
        /// Free places whose tokens are forgotten to make room.
        var forgotten: [Int]
    }

    /// A place for a prompt that will hold `total` tokens at most; nil: it must wait for others to finish. Whoever is
    /// let in can be finished: room for all that those at work may still come to hold stays free.
    ///
    /// The last token of a prompt is always to be read again, for what follows it.
    func seat(for prompt: [llama_token], total: Int, mayShare: Bool = true) -> Seat? {
        let free = places.indices.filter { promised[$0] == nil }
        guard !free.isEmpty else { return nil }
        let fronts = places.indices.map { place in
            mayShare ? min(sharedFront(of: prompt, with: place), prompt.count - 1) : 0
        }
        let shared = max(0, fronts.max() ?? 0)
        // A free place that has the front itself; else an empty one; else the one with the least to lose.
        let place = free.min { (-fronts[$0], count(of: $0)) < (-fronts[$1], count(of: $1)) } ?? free[0]
        let isOwn = fronts[place] == shared
        let empty = free.min { count(of: $0) < count(of: $1) } ?? free[0]
        var seat = Seat(
            place: isOwn ? place : empty, source: isOwn ? place : fronts.firstIndex(of: shared) ?? place,
            shared: shared, forgotten: [])
        var trial = self
        trial.truncate(seat.place, to: isOwn ? shared : 0)
        if !isOwn { trial.share(shared, of: seat.source, with: seat.place) }
        if trial.hasRoom(for: total - shared) { return seat }
        for other in free where other != seat.place && count(of: other) > 0 {
            trial.truncate(other, to: 0)
            seat.forgotten.append(other)
            if trial.hasRoom(for: total - shared) { return seat }
        }
        return nil
    }

    private func hasRoom(for count: Int) -> Bool {
        let growth = places.indices.reduce(0) { $0 + max(0, (promised[$1] ?? 0) - places[$1].count) }
        return used + growth + count <= capacity
    }
}
