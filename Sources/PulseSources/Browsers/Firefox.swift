import Foundation
import PulseCore

extension BrowserSchema {
    static let firefox = BrowserSchema(
        name: "firefox", program: "Firefox",
        summary: "the history of Firefox, LibreWolf, Zen or Waterfox, of sites that you name",
        details: """
            Pages of the sites after --host that were seen for ten seconds or more, with their exact times. Firefox keeps
            titles and descriptions but no texts. Without a path, the profile that Firefox starts with is read; Firefox
            may be running. PATH is a profile's folder, its places.sqlite, or the folder of all profiles.
            """,
        file: "places.sqlite",
        columns: [
            "moz_places": ["id", "url", "title", "hidden", "visit_count"],
            "moz_historyvisits": ["id", "place_id", "visit_date", "visit_type", "from_visit"],
        ],
        epoch: 0,
        visits: { tables in
            let description = tables.optional("moz_places", "description", as: "place")
            let site = tables.optional("moz_places", "site_name", as: "place")
            // How long a page was viewed between one visit and the next; Firefox counts milliseconds. A view may begin
            // a moment before its visit is recorded.
            let seconds =
                tables.has("moz_places_metadata", "place_id", "created_at", "total_view_time")
                ? """
                (SELECT sum(view.total_view_time) / 1000.0 FROM moz_places_metadata AS view
                    WHERE view.place_id = visit.place_id AND view.created_at >= visit.visit_date / 1000 - 2000
                    AND view.created_at < ifnull((SELECT min(next.visit_date) / 1000 - 2000
                        FROM moz_historyvisits AS next
                        WHERE next.place_id = visit.place_id AND next.visit_date > visit.visit_date),
                        9223372036854775807))
                """ : "NULL"
            // visit_type: 1 link, 2 typed, 3 bookmark, 5 and 6 the target of a redirect; not 4 and 8 frames, 7
            // download, 9 reload. A page that redirects is hidden, or followed by a visit of type 5 or 6.
            return """
                SELECT visit.id, visit.visit_date, place.url, place.title, \(seconds), \(description), \(site)
                FROM moz_historyvisits AS visit JOIN moz_places AS place ON place.id = visit.place_id
                WHERE (visit.visit_date, visit.id) > (?1, ?2) AND visit.visit_type IN (1, 2, 3, 5, 6)
                    AND place.hidden = 0
                    AND NOT EXISTS (SELECT 1 FROM moz_historyvisits AS target
                        WHERE target.from_visit = visit.id AND target.visit_type IN (5, 6))
                ORDER BY visit.visit_date, visit.id LIMIT ?3
                """
        },
        pages: "SELECT url, visit_count, title FROM moz_places WHERE hidden = 0 AND visit_count > 0",
        folders: { environment in
            let support = environment.home + "/Library/Application Support/"
            let config = environment.folder("XDG_CONFIG_HOME", or: ".config") + "/"
            let sandboxes = environment.sandboxes.flatMap { sandbox in
                home.map { "\(sandbox)/\($0)" } + xdg.map { "\(sandbox)/config/\($0)" }
            }
            return home.map { "\(environment.home)/\($0)" } + xdg.map { config + $0 } + sandboxes
                + mac.map { support + $0 }
        },
        profiles: firefoxProfiles)

    /// The folders of Firefox and its forks, the likeliest first: in the home folder, the settings folder, and on a
    /// Mac.
    private static let home = [".mozilla/firefox", ".librewolf", ".zen", ".waterfox", ".floorp", ".mullvad-browser"]
    private static let xdg = ["mozilla/firefox", "librewolf/librewolf", "librewolf", "zen", "waterfox", "floorp"]
    private static let mac = ["Firefox", "LibreWolf", "librewolf", "zen", "Waterfox", "Floorp"]

    /// The databases of the profiles in `profiles.ini`, the default profiles first. `Default` in a section `[Install…]`
    /// is the path of an installation's default profile; `Default=1` marks the default profile of older versions. Those
    /// that are not in the file follow.
    private static func firefoxProfiles(in folder: String) -> [String] {
        let found = profiles(in: folder, holding: "places.sqlite")
        guard let bytes = try? ByteStream(path: folder + "/profiles.ini").rest(limit: 1 << 20) else { return found }
        var sections: [(name: Substring, values: [Substring: Substring])] = [("", [:])]
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                sections.append((line.dropFirst().prefix { $0 != "]" }, [:]))
            } else if let sign = line.firstIndex(of: "=") {
                sections[sections.count - 1].values[line[..<sign]] = line[line.index(after: sign)...]
            }
        }
        var (installed, marked, others): ([String], [String], [String]) = ([], [], [])
        for (name, values) in sections {
            if name.hasPrefix("Install"), let path = values["Default"] {
                installed.append("\(folder)/\(path)")
            } else if name.hasPrefix("Profile"), let path = values["Path"] {
                let path = values["IsRelative"] == "0" ? String(path) : "\(folder)/\(path)"
                if values["Default"] == "1" { marked.append(path) } else { others.append(path) }
            }
        }
        var seen: Set<String> = []
        return ((installed + marked + others).map { $0 + "/places.sqlite" } + found).filter { seen.insert($0).inserted }
    }
}
