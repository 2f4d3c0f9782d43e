import Foundation
import PulseApp
import PulseCore
import PulseRendering
import PulseTestSupport
import Synchronization

extension AppEnvironment {
    /// One whose files are all below a folder.
    init(
        home: TemporaryFolder, history: String? = nil, variables: [String: String] = [:],
        now: Date = Date(timeIntervalSince1970: 1_795_298_400), timeZone: TimeZone = .gmt, executable: String = "/p"
    ) {
        let variables = ["HOME": home.path, "PATH": "/usr/bin:/bin"].merging(variables) { $1 }
        self.init(
            locations: Locations(environment: variables, executable: executable),
            history: history.map { History(at: $0) }, variables: variables, now: now, timeZone: timeZone)
    }
}

extension DigestReader {
    /// Somebody who is mailed what is new.
    init(_ addresses: [String], _ change: (inout DigestRequest) -> Void = { _ in }) throws {
        var request = DigestRequest()
        request.window = .sinceLast
        request.maximumStories = 100
        change(&request)
        self.init(
            request: request, model: ModelSettings(), to: try addresses.map { try MailAddress($0) }, from: nil)
    }
}

extension Reporter {
    static let silent = Reporter { _ in }
}

/// What a use case says, for a test to read.
final class Said: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock(\.self) }

    var reporter: Reporter {
        Reporter { event in
            let line: String? =
                switch event {
                case .problem(let message), .note(let message), .hint(let message): "\(message)"
                case .failure(let error): "\(error)"
                case .detail, .progress: nil
                }
            if let line { self.lines.withLock { $0.append(line) } }
        }
    }
}
