import Foundation
import PulseRendering

/// The locale and the time zone. What is printed is UTF-8 whatever the locale says.
struct LocaleCheck: Check {
    let context: Context

    func findings() async -> [Finding] {
        let zone = "time zone \(context.timeZone.identifier)"
        // The first that is set counts (locale(7)).
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        guard let locale = names.lazy.compactMap({ context.environment[$0] }).first(where: { !$0.isEmpty }) else {
            return [.ok("locale", "none; the output is UTF-8; \(zone)")]
        }
        guard locale.lowercased().replacing("-", with: "").contains("utf8") else {
            return [.warning("locale", "\(locale), but the output is UTF-8: set LANG to one such as C.UTF-8; \(zone)")]
        }
        return [.ok("locale", "\(locale), \(zone)")]
    }
}
