import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseApp

extension RealProcesses {
    /// A real msmtp, where there is one. It asks no server.
    @Suite(.timeLimit(.minutes(20))) struct SendmailTests {
        private static let msmtp = "/usr/bin/msmtp"

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: msmtp), "apt-get install msmtp"))
        func msmtpWithoutAnAccountIsFoundOut() async throws {
            let home = try TemporaryFolder()
            try home.link("sendmail", to: Self.msmtp)
            let sendmail = try Sendmail(
                at: home.file("sendmail"), environment: ["HOME": home.path, "PATH": "/usr/bin"], timeout: .seconds(60))
            try await fails(.configuration, "account default not found") { try await sendmail.requireAccount() }
            try home.write("account default\nhost 127.0.0.1\nfrom a@example.org\n", to: ".msmtprc")
            chmod(home.file(".msmtprc"), 0o600)
            try await sendmail.requireAccount()
        }
    }
}
