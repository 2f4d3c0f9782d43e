import Foundation

/// What the benchmark was asked for.
struct Arguments: Equatable {
    /// Rows by name, in the order they run; a name stands for the whole group of rows that are measured together.
    enum Group: String, CaseIterable {
        case today, ranking, check, encoder, written, sequence, stories, lookup, first, prepared, stream, store, ask,
            imports, feeds

        /// What it measures, and how long it takes on two cores with three rounds.
        var summary: String {
            switch self {
            case .today: "25 stories without a model: cold, again, memory; 10 seconds"
            case .ranking: "2,000 articles merged and ranked; 10 seconds"
            case .check: "sentences of a model checked, one thread; 10 seconds"
            case .encoder: "texts encoded: llama-cpp-python, the program; 30 seconds"
            case .written: "25 stories written by SmolLM2: cold, again, memory; 2 minutes"
            case .sequence: "one sequence against a bare loop over the C API; 1 minute"
            case .stories: "16 stories: one at a time, in one batch, llama-cpp-python; 12 minutes"
            case .lookup: "prompt lookup on and off, one summary; 1 minute"
            case .first: "the first token: of 16 stories, of one, with the front kept; 1 minute"
            case .stream: "when the words of a digest come, as a model writes them; 3 minutes"
            case .prepared: "the night after prepare, with one story new; 3 minutes"
            case .store: "a million articles: import and dry run; 2 minutes"
            case .ask: "30 articles made ready for questions, and a question to 100,000; 2 minutes"
            case .imports: "a reader's database and a server: import, and once more; 1 minute"
            case .feeds: "500 feeds refreshed, cold and with nothing new; 20 seconds"
            }
        }

        /// Whether it takes a model of a billion weights.
        var needsModel: Bool { [.sequence, .stories, .lookup, .first, .prepared, .stream].contains(self) }
    }

    var groups = Group.allCases
    var rounds = 3
    /// Tokens written, where the model writes freely.
    var tokens = 96
    var threads: Int?
    var isQuick = false
    var needsHelp = false
    /// Only makes the model and the peer.
    var preparesOnly = false
    var usesPeer = true
    /// A GGUF file instead of the random model.
    var model: String?
    /// Whether the engine computes with weights as they lie in the file; the others do as llama.cpp does by default.
    var usesMappedWeights = false
    var output: String?
    /// The built program.
    var program = ".build/release/pulse-digest"
    /// The repository.
    var root = "."
    /// Articles in the large store.
    var articles = 1_000_000

    init(_ words: [String]) throws(BenchError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            let (name, inline) = Self.split(word)
            func value() throws(BenchError) -> String {
                guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
                    throw BenchError("\(name) needs a value.")
                }
                return value
            }
            func number(_ range: ClosedRange<Int>) throws(BenchError) -> Int {
                let text = try value()
                guard let number = Int(text), range.contains(number) else {
                    throw BenchError(
                        "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not “\(text)”.")
                }
                return number
            }
            switch name {
            case "--rows": groups = try Self.groups(try value())
            case "--rounds": rounds = try number(1...100)
            case "--tokens": tokens = try number(1...1000)
            case "--threads": threads = try number(1...1024)
            case "--articles": articles = try number(1000...100_000_000)
            case "--model": model = try value()
            case "--mapped": usesMappedWeights = true
            case "--output": output = try value()
            case "--program": program = try value()
            case "--root": root = try value()
            case "--quick":
                isQuick = true
                (rounds, tokens, articles) = (1, 32, 50_000)
            case "--prepare": preparesOnly = true
            case "--no-peer": usesPeer = false
            case "--help", "-h": needsHelp = true
            default: throw BenchError("“\(word)” is not known. For what there is: --help")
            }
        }
    }

    private static func split(_ word: String) -> (String, String?) {
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }

    private static func groups(_ list: String) throws(BenchError) -> [Group] {
        var chosen: [Group] = []
        for name in list.split(separator: ",") {
            guard let group = Group(rawValue: String(name)) else {
                throw BenchError("There is no row “\(name)”. There are: \(all)")
            }
            if !chosen.contains(group) { chosen.append(group) }
        }
        return chosen
    }

    private static var all: String { Group.allCases.map(\.rawValue).joined(separator: ", ") }

    static var help: String {
        let rows = Group.allCases.map {
            "  \($0.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0))\($0.summary)"
        }
        return """
            Measures pulse-digest: make bench, or make bench ARGS="--rows stories,lookup --rounds 5"

              --rows A,B       only these (below)
              --rounds N       rounds that count (3); where others use the processor, two more are tried
              --tokens N       tokens written by the free rows (96)
              --threads N      threads of every way (what the engine chooses)
              --quick          one round, few tokens, a small store: whether everything works
              --no-peer        without llama-cpp-python
              --prepare        make the model and the peer's environment, measure nothing
              --articles N     articles in the large store (1000000)
              --model PATH     a GGUF file instead of the random model
              --mapped         the engine's weights as they lie in the file
              --output PATH    write the JSON there too

            Rows:
            \(rows.joined(separator: "\n"))

            """
    }
}
