import Foundation
import PulseCore

/// Two readers for iPhones, whose stores Apple's Core Data makes: a table and its columns are called like the classes
/// and their properties, in capitals and with a Z before them.
extension SourceKind {
    static let pulse = SourceKind.store(
        "pulse", .pulse, summary: "Pulse's default.store",
        details: """
            The store of the app Pulse, out of a simulator or the backup of an iPhone. It holds when each article was
            read last. Its bookmarks are kept; podcasts and videos are left out.
            """,
        places: { AppStores.places(of: "default.store", in: $0) })

    static let rssium = SourceKind.store(
        "rssium", .rssium, summary: "RSSium's RSSiumModel.sqlite",
        details: """
            The store of the app RSSium, out of a simulator or the backup of an iPhone. RSSium keeps no reading times:
            see newsboat. It deletes what it showed a month ago, so import often.
            """,
        places: { AppStores.places(of: "RSSiumModel.sqlite", in: $0) })
}

extension StoreReader {
    /// https://github.com/BrunoCerberus/Pulse, `Configs/Storage`.
    static let pulse = StoreReader(
        program: "Pulse", origin: "pulse", files: ["default.store"],
        isOurs: { tables in
            // A launch could drop the articles' tables, until a version of July 2026; these stayed. Other apps have
            // stores of this name too.
            isPulseArticle("ZREADARTICLE", "ZREADAT", tables)
                || isPulseArticle("ZREADINGHISTORYENTRY", "ZREADAT", tables)
                || tables.has("ZUSERPREFERENCESMODEL", "ZMORNINGBRIEFINGENABLED", "ZFOLLOWEDTOPICS")
        },
        shapes: { _, tables in
            // Until January 2026 what was read was in the second.
            let read = ["ZREADARTICLE", "ZREADINGHISTORYENTRY"].filter { isPulseArticle($0, "ZREADAT", tables) }.map {
                var shape = pulseArticles($0, tables)
                shape.readAt = "\($0).ZREADAT + \(AppStores.epoch)"
                return shape
            }
            guard isPulseArticle("ZBOOKMARKEDARTICLE", "ZSAVEDAT", tables) else { return read }
            var saved = pulseArticles("ZBOOKMARKEDARTICLE", tables)
            saved.isRead = "0"
            saved.isStarred = "1"
            saved.savedAt = "ZBOOKMARKEDARTICLE.ZSAVEDAT + \(AppStores.epoch)"
            return read + [saved]
        })

    private static func isPulseArticle(_ table: String, _ time: String, _ tables: StoreTables) -> Bool {
        tables.has(table, "Z_PK", "ZARTICLEID", "ZTITLE", time)
    }

    private static func pulseArticles(_ table: String, _ tables: StoreTables) -> StoreShape {
        let category = tables.optional(table, "ZCATEGORY")
        return StoreShape(
            tables: table, rowID: "\(table).Z_PK", isKept: "coalesce(\(category), '') NOT IN ('podcasts', 'videos')",
            guid: "\(table).ZARTICLEID", url: tables.optional(table, "ZURL"), title: "\(table).ZTITLE",
            summary: tables.optional(table, "ZARTICLEDESCRIPTION"), content: tables.optional(table, "ZCONTENT"),
            author: tables.optional(table, "ZAUTHOR"), source: tables.optional(table, "ZSOURCENAME"),
            category: category, publishedAt: tables.optional(table, "ZPUBLISHEDAT") + " + \(AppStores.epoch)")
    }

    /// https://github.com/kgrsutos/RSSium, `RSSiumModel.xcdatamodeld`.
    static let rssium = StoreReader(
        program: "RSSium", origin: "rssium", files: ["RSSiumModel.sqlite"],
        isOurs: {
            $0.has("ZARTICLE", "Z_PK", "ZISREAD", "ZISBOOKMARKED", "ZFEED", "ZTITLE", "ZURL", "ZCONTENT")
                && $0.has("ZFEED", "Z_PK", "ZTITLE", "ZURL")
        },
        shapes: { _, tables in
            let date = tables.optional("ZARTICLE", "ZPUBLISHEDDATE", as: "item")
            // Where a feed gave no date there is the moment of parsing; dates of feeds are in whole seconds.
            let isGiven = "\(date) = CAST(\(date) AS INTEGER)"
            return [
                StoreShape(
                    tables: "ZARTICLE AS item LEFT JOIN ZFEED AS feed ON feed.Z_PK = item.ZFEED",
                    rowID: "item.Z_PK", isRead: "item.ZISREAD", isStarred: "item.ZISBOOKMARKED",
                    // The id there is made anew at each refresh.
                    guid: "coalesce(nullif(item.ZURL, ''), feed.ZURL || '#' || item.ZTITLE)", url: "item.ZURL",
                    title: "item.ZTITLE", summary: tables.optional("ZARTICLE", "ZSUMMARY", as: "item"),
                    content: "item.ZCONTENT", author: tables.optional("ZARTICLE", "ZAUTHOR", as: "item"),
                    source: "feed.ZTITLE",
                    publishedAt: "CASE WHEN \(isGiven) THEN \(date) + \(AppStores.epoch) END",
                    arrivedAt: "CASE WHEN NOT \(isGiven) THEN \(date) + \(AppStores.epoch) END")
            ]
        })
}

/// Where apps' stores are on a Mac.
private enum AppStores {
    /// Core Data counts seconds from 2001-01-01.
    static let epoch = "978307200"

    /// Stores in the simulators of Xcode, and the place of an app of the Mac itself.
    static func places(of name: String, in environment: ImportEnvironment) -> [String] {
        let devices = environment.home + "/Library/Developer/CoreSimulator/Devices"
        let simulated = entries(of: devices).flatMap { device in
            ["Data/Application", "Shared/AppGroup"].flatMap { entries(of: "\(device)/data/Containers/\($0)") }
        }
        return (simulated + [environment.home]).map { "\($0)/Library/Application Support/\(name)" }
            .filter { FileManager.default.fileExists(atPath: $0) || $0.hasPrefix(environment.home + "/Library/App") }
    }

    private static func entries(of folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { folder + "/" + $0 }
    }
}
