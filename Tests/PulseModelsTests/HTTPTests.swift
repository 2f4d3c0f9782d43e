import Foundation
import PulseTestSupport
import Testing

@testable import PulseModels

@Suite("What a server says")
struct HTTPTests {
    private func head(_ lines: String...) -> ResponseHead {
        lines.reduce(into: ResponseHead()) { $0.read(line: $1 + "\r\n") }
    }

    @Test func theFieldsThatMatter() {
        let head = head("HTTP/1.1 206 Partial Content", "content-LENGTH:  50 ", "Content-Range: bytes 100-149/200", "")
        #expect(head.status == 206 && head.contentLength == 50)
        #expect(head.rangeStart == 100 && head.rangeTotal == 200)
    }

    @Test func aLaterStatusLineBeginsAnew() {
        let head = head("HTTP/1.1 103 Early Hints", "Content-Length: 5", "", "HTTP/2 200 ", "Retry-After: 3", "")
        #expect(head.status == 200 && head.contentLength == nil && head.retryAfter == 3)
    }

    @Test func unknownSizesStayUnknown() {
        #expect(head("HTTP/1.1 206 x", "Content-Range: bytes 100-149/*").rangeTotal == nil)
        #expect(head("HTTP/1.1 416 x", "Content-Range: bytes */200").rangeTotal == 200)
        #expect(head("HTTP/1.1 416 x", "Content-Range: bytes */200").rangeStart == nil)
    }

    @Test(
        "Nonsense is no value",
        arguments: [
            "Content-Length: -5", "Content-Length: +5", "Content-Length: 99999999999999999999", "Content-Length:",
            "Content-Length: 5x", "Content-Range: bytes", "Content-Range: lines 1-2/3", "Content-Range: bytes 5",
            "Content-Range: bytes x-y/z", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT", "no colon", "", ":",
        ])
    func nonsense(line: String) {
        #expect(head("HTTP/1.1 200 OK", line) == head("HTTP/1.1 200 OK"))
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.1 abc", "HTTP/"])
    func aStatusLineWithoutAStatus(line: String) {
        #expect(head(line).status == 0)
    }

    @Test(arguments: [
        "https://h/x", "HTTP://h", "https://h:8443/x?y=z#w", "http://[::1]:80/", "https://münchen.example/",
    ])
    func addresses(text: String) {
        #expect(WebAddress(text) != nil)
    }

    @Test(arguments: [
        "", "h/x", "//h/x", "ftp://h/x", "file:///etc/passwd", "https:///x", "https://me@h/", "javascript:1",
    ])
    func notAddresses(text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test func encryptionIsNotGivenUp() throws {
        let safe = try #require(WebAddress("https://h/"))
        let open = try #require(WebAddress("http://h/"))
        #expect(safe.mayLead(to: safe) && open.mayLead(to: safe) && open.mayLead(to: open))
        #expect(!safe.mayLead(to: open))
    }

    @Test func delaysGrowAndEnd() {
        let settings = DownloadSettings()
        let delays = [1, 2, 3, 4, 5, 6, 7, 500].map { settings.delay(afterFailure: $0, serverAsks: nil) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(settings.delay(afterFailure: 1, serverAsks: 7) == .seconds(7))
        #expect(settings.delay(afterFailure: 1, serverAsks: 86_400) == .seconds(60))
    }

    @Test func theDiskSaysWhatIsFree() throws {
        let folder = try TemporaryFolder()
        #expect(try #require(FreeSpace.bytes(in: folder.path)) > 0)
        #expect(FreeSpace.bytes(in: folder.file("none")) == nil)
    }

    @Test func progressIsAFraction() {
        #expect(PullProgress(.waiting, bytes: 0, total: 0).fraction == 0)
        #expect(PullProgress(.verifying, bytes: 1, total: 4).fraction == 0.25)
        #expect(PullProgress(.verifying, bytes: 9, total: 4).fraction == 1)
    }

    @Test func wordsFromOutsideAreMadeFit() {
        #expect(printable("a\u{1b}]0;b\u{7}\r\nc\u{202e}d") == "a cd")
        #expect(printable(String(repeating: "x", count: 300)) == String(repeating: "x", count: 199) + "…")
    }

    @Test func aFullDiskIsToldAsSuch() {
        #expect(ModelError.system(.cannotWrite, "Writing", errno: ENOSPC).code == .noSpace)
        #expect(ModelError.system(.cannotWrite, "Writing", errno: EDQUOT).code == .noSpace)
        let other = ModelError.system(.cannotWrite, "Writing to x", errno: EACCES)
        #expect(other.code == .cannotWrite && other.description == "Writing to x failed: Permission denied.")
    }
}
