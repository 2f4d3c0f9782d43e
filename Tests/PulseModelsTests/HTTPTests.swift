import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseModels

/// How patient a download is, and what it says.
@Suite(.timeLimit(.minutes(20))) struct HTTPTests {
    @Test func delaysGrowAndEnd() {
        let settings = DownloadSettings()
        let delays = [1, 2, 3, 4, 5, 6, 7, 500].map { settings.delay(afterFailure: $0, serverAsks: nil) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(settings.delay(afterFailure: 1, serverAsks: 7) == .seconds(7))
        #expect(settings.delay(afterFailure: 1, serverAsks: 86_400) == .seconds(60))
    }

    @Test func theDiskSaysWhatIsFree() throws {
        let folder = try TemporaryFolder()
        let settings = DownloadSettings()
        #expect(try #require(settings.freeSpace(folder.path)) > 0)
        #expect(settings.freeSpace(folder.file("none")) == nil)
    }

    @Test func progressIsAFraction() {
        #expect(PullProgress(phase: .waiting, bytes: 0, total: 0).fraction == 0)
        #expect(PullProgress(phase: .verifying, bytes: 1, total: 4).fraction == 0.25)
        #expect(PullProgress(phase: .verifying, bytes: 9, total: 4).fraction == 1)
    }

    @Test func wordsFromOutsideAreMadeFit() {
        #expect(printable("a\u{1b}]0;b\u{7}\r\nc\u{202e}d") == "a cd")
        #expect(printable(String(repeating: "x", count: 300)) == String(repeating: "x", count: 199) + "…")
    }
}
