import Foundation
import PulseCore

extension BrowserSchema {
    static let chromium = BrowserSchema(
        name: "chromium", program: "Chromium",
        summary: "the history of Chromium, Chrome, Brave, Edge, Vivaldi or Opera",
        details: """
            Pages of the sites after --host that were seen for ten seconds or more, with their exact times. The browser
            keeps titles but no texts, and those for 90 days. Without a path, the first profile of the first of these
            browsers is read; it may be running. PATH is a profile's folder, its file History, or the folder
            of all profiles.
            """,
        file: "History",
        columns: [
            "urls": ["id", "url", "title", "visit_count", "hidden"],
            "visits": ["id", "url", "visit_time", "transition", "visit_duration"],
        ],
        // Times count from 1601, as in Windows.
        epoch: -11_644_473_600,
        visits: { tables in
            let isMeasured = tables.has("context_annotations", "visit_id", "total_foreground_duration")
            // The foreground time is better, because a page may be in a background tab for days. It is -1 if unknown,
            // and 0 while the tab is open.
            let seconds =
                isMeasured
                ? "CASE WHEN note.total_foreground_duration >= 0 THEN note.total_foreground_duration "
                    + "ELSE nullif(visit.visit_duration, 0) END" : "nullif(visit.visit_duration, 0)"
            let join = isMeasured ? "LEFT JOIN context_annotations AS note ON note.visit_id = visit.id" : ""
            // Excludes error pages.
            let hasCode = isMeasured && tables.has("context_annotations", "response_code")
            let isFound = hasCode ? "AND ifnull(note.response_code, 0) < 400" : ""
            // ui/base/page_transition_types.h: 0x20000000 ends a chain of redirects. Core types 3 and 4 are frames, 8
            // is a reload, and 5, 9 and 10 are searches from the address bar.
            return """
                SELECT visit.id, visit.visit_time, page.url, page.title, (\(seconds)) / 1e6, NULL, NULL
                FROM visits AS visit JOIN urls AS page ON page.id = visit.url \(join)
                WHERE (visit.visit_time, visit.id) > (?1, ?2) AND visit.transition & 0x20000000
                    AND visit.transition & 0xff NOT IN (3, 4, 5, 8, 9, 10) AND page.hidden = 0 \(isFound)
                ORDER BY visit.visit_time, visit.id LIMIT ?3
                """
        },
        pages: "SELECT url, visit_count, title FROM urls WHERE hidden = 0",
        folders: { environment in
            let support = environment.home + "/Library/Application Support/"
            let config = environment.folder("XDG_CONFIG_HOME", or: ".config") + "/"
            // Snaps also keep a folder without .config, as Chromium's does.
            let sandboxes = environment.sandboxes.flatMap { [$0 + "/config/", $0 + "/.config/", $0 + "/"] }
            return ([config] + sandboxes).flatMap { folder in linux.map { folder + $0 } } + mac.map { support + $0 }
        },
        profiles: { folder in
            // Opera's only profile is that folder itself. "System Profile" belongs to the window that chooses one.
            BrowserSchema.profiles(in: folder, holding: "History").filter { !$0.hasSuffix("/System Profile/History") }
                + [folder + "/History"]
        })

    /// The browsers' folders in a settings folder, the likeliest first.
    private static let linux = [
        "chromium", "google-chrome", "BraveSoftware/Brave-Browser", "microsoft-edge", "vivaldi", "opera",
        "google-chrome-beta", "google-chrome-unstable", "microsoft-edge-beta", "microsoft-edge-dev",
        "BraveSoftware/Brave-Browser-Beta", "BraveSoftware/Brave-Browser-Nightly", "vivaldi-snapshot", "opera-beta",
        "opera-developer", "yandex-browser", "thorium",
    ]

    private static let mac = [
        "Chromium", "Google/Chrome", "BraveSoftware/Brave-Browser", "Microsoft Edge", "Vivaldi",
        "com.operasoftware.Opera", "Yandex/YandexBrowser",
    ]
}
