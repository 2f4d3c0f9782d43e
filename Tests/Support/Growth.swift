import Foundation

/// Texts of so many times a piece.
public func pieces(_ piece: String) -> @Sendable (Int) -> String {
    { String(repeating: piece, count: $0) }
}

/// A hostile shape of input for one parser or rule, and the check that its cost grows with the input and with nothing
/// faster.
///
/// What is measured is the processor time of the thread, which waits of other threads do not change, so that a busy
/// machine does not fail a test.
public struct GrowthCase: Sendable, CustomStringConvertible {
    public let description: String
    private let start: Int
    private let largest: Int
    private let limit: Double
    /// Makes the input of a size, and returns the work on it.
    private let prepare: @Sendable (Int) -> () throws -> Void

    /// Runs shorter than this are mostly overhead and noise. In seconds.
    private static let shortest = 0.004
    /// Of eight times the input. Linear work takes 8 times as long, n log n some 10, the square 64. The room is for
    /// growing buffers and caches that no longer fit.
    private static let mostGrowth = 18.0

    /// - Parameters:
    ///   - start: The first size that is tried.
    ///   - largest: Where all is so fast that it cannot be measured, sizes end here.
    ///   - limit: What all runs may take together, in seconds of processor time. It only ends what would go on for
    ///     minutes: a slow machine, or one that is busy, needs several times what a quiet one does.
    ///   - make: A hostile text of about so many pieces.
    public init(
        _ name: String, from start: Int = 64, to largest: Int = 1 << 20, limit: Double = 40,
        _ make: @escaping @Sendable (Int) -> String, _ run: @escaping @Sendable (String) throws -> Void
    ) {
        self = .of(name, from: start, to: largest, limit: limit, make, run)
    }

    private init(
        name: String, start: Int, largest: Int, limit: Double, prepare: @escaping @Sendable (Int) -> () throws -> Void
    ) {
        description = name
        self.start = start
        self.largest = largest
        self.limit = limit
        self.prepare = prepare
    }

    /// The same for inputs that are no text.
    public static func of<Input>(
        _ name: String, from start: Int = 64, to largest: Int = 1 << 20, limit: Double = 40,
        _ make: @escaping @Sendable (Int) -> Input, _ run: @escaping @Sendable (Input) throws -> Void
    ) -> GrowthCase {
        GrowthCase(name: name, start: start, largest: largest, limit: limit) { size in
            let input = make(size)
            return { try run(input) }
        }
    }

    /// A cost that grows faster than its input.
    struct Fault: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Doubles the input until a run can be measured, then compares it with one of eight times the size. One of twice
    /// the size ends what grows beyond all measure. A fault counts at two sizes.
    public func check() throws {
        var spent = 0.0
        var (size, largest, isFirst) = (start, largest, true)
        while size <= largest {
            let work = prepare(size)
            if try seconds(work, &spent) >= Self.shortest {
                // Noise only adds.
                let base = try min(seconds(work, &spent), seconds(work, &spent))
                if base >= Self.shortest {
                    do {
                        for factor in [2, 8] where size * factor <= largest {
                            try compare(size * factor, with: base, of: size, &spent)
                        }
                        return
                    } catch  where isFirst {
                        // What a short run suggests, caches and a busy machine can make; a longer one decides.
                        (isFirst, largest) = (false, max(largest, size * 64))
                        size *= 4
                    }
                }
            }
            size *= 2
        }
    }

    private func compare(_ size: Int, with base: Double, of baseSize: Int, _ spent: inout Double) throws {
        let work = prepare(size)
        let most = base * Self.mostGrowth * Double(size) / Double(8 * baseSize)
        var least = Double.infinity
        for _ in 0..<3 {
            least = try min(least, seconds(work, &spent))
            if least <= most { return }
        }
        throw Fault("\(description): \(baseSize) took \(base) s, \(size) took \(least) s")
    }

    /// In seconds of processor time.
    private func seconds(_ work: () throws -> Void, _ spent: inout Double) throws -> Double {
        guard spent < limit else { throw Fault("\(description): \(spent) s were spent") }
        let start = Self.processorTime()
        try work()
        let seconds = Self.processorTime() - start
        spent += seconds
        return seconds
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
