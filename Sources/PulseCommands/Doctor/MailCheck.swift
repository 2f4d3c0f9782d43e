import PulseRendering

/// The program that takes mail, as `today --send` looks for it.
struct MailCheck: Check {
    let context: Context
    /// Where the system has it.
    let places: [String]

    func findings() async -> [Finding] {
        do throws(Failure) {
            let sendmail = try Sendmail(
                at: context.settings.sendmail, environment: context.environment, timeout: context.settings.sendTimeout,
                places: places)
            return [.ok("mail", sendmail.path)]
        } catch {
            // Who has their digests printed needs none.
            return [.warning("mail", error.message)]
        }
    }
}
