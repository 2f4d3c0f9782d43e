import Foundation
import PulseRendering

/// The program that takes mail, by the name that all mail systems on Unix give it.
struct MailCheck: Check {
    let context: Context
    /// Where it is usually; folders of the administrator, which a user's PATH may lack.
    let usual: [String]

    func findings() async -> [Finding] {
        let folders = (context.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/sendmail" }
        guard let path = (usual + folders).first(where: FileManager.default.isExecutableFile) else {
            return [
                .warning(
                    "mail", "no sendmail, so digests cannot be mailed from here. Install msmtp-mta, or a mail server.")
            ]
        }
        return [.ok("mail", path)]
    }
}
