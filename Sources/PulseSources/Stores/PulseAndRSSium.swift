import Foundation
import PulseCore

/// Two readers for iPhones, whose stores are written by Apple's Core Data: tables and columns have the names of classes
/// and properties, in capitals and with the prefix Z.
extension FeedReaderDatabase {
    /// https://github.com/BrunoCerberus/Pulse, `Configs/Storage`.
    static let pulse = FeedReaderDatabase(
        name: "pulse", program: "Pulse",
        summary: "Pulse's default.store",
        details: """
            The store of the app Pulse, out of a simulator or the backup of an iPhone. It holds when each article was
            read last. Its bookmarks are kept; podcasts and videos are left out.
            """,
        defaultPaths: { AppStores.defaultPaths(of: "default.store", in: $0) },
        files: ["default.store"],
        isOurs: { tables in
            // Until a version of July 2026, a launch could drop the tables of articles; the table of preferences
            // stayed. Other apps also have a default.store.
            isPulseArticle("ZREADARTICLE", "ZREADAT", tables)
                || isPulseArticle("ZREADINGHISTORYENTRY", "ZREADAT", tables)
                || tables.has("ZUSERPREFERENCESMODEL", "ZMORNINGBRIEFINGENABLED", "ZFOLLOWEDTOPICS")
        },
        schemas: { _, tables in
            // ZREADINGHISTORYENTRY was used until January 2026.
            let read = ["ZREADARTICLE", "ZREADINGHISTORYENTRY"].filter { isPulseArticle($0, "ZREADAT", tables) }.map {
                var schema = pulseArticles($0, tables)
                schema.readAt = "\($0).ZREADAT + \(AppStores.epoch)"
                return schema
            }
            guard isPulseArticle("ZBOOKMARKEDARTICLE", "ZSAVEDAT", tables) else { return read }
            var saved = pulseArticles("ZBOOKMARKEDARTICLE", tables)
            saved.isRead = "0"
            saved.isStarred = "1"
            saved.savedAt = "ZBOOKMARKEDARTICLE.ZSAVEDAT + \(AppStores.epoch)"
            return read + [saved]
        })

    private static func isPulseArticle(_ table: String, _ time: String, _ tables: ReaderTables) -> Bool {
        tables.has(table, "Z_PK", "ZARTICLEID", "ZTITLE", time)
    }

    private static func pulseArticles(_ table: String, _ tables: ReaderTables) -> ReaderSchema {
        let category = tables.optional(table, "ZCATEGORY")
        return ReaderSchema(
            tables: table, rowID: "\(table).Z_PK", isKept: "coalesce(\(category), '') NOT IN ('podcasts', 'videos')",
            guid: "\(table).ZARTICLEID", url: tables.optional(table, "ZURL"), title: "\(table).ZTITLE",
            summary: tables.optional(table, "ZARTICLEDESCRIPTION"), content: tables.optional(table, "ZCONTENT"),
            author: tables.optional(table, "ZAUTHOR"), source: tables.optional(table, "ZSOURCENAME"),
            category: category, publishedAt: tables.optional(table, "ZPUBLISHEDAT") + " + \(AppStores.epoch)")
    }

    /// https://github.com/kgrsutos/RSSium, `RSSiumModel.xcdatamodeld`.
    static let rssium = FeedReaderDatabase(
        name: "rssium", program: "RSSium",
        summary: "RSSium's RSSiumModel.sqlite",
        details: """
            The store of the app RSSium, out of a simulator or the backup of an iPhone. RSSium keeps no reading times:
            see newsboat. It deletes what it showed a month ago, so import often.
            """,
        defaultPaths: { AppStores.defaultPaths(of: "RSSiumModel.sqlite", in: $0) },
        files: ["RSSiumModel.sqlite"],
        isOurs: {
            $0.has("ZARTICLE", "Z_PK", "ZISREAD", "ZISBOOKMARKED", "ZFEED", "ZTITLE", "ZURL", "ZCONTENT")
                && $0.has("ZFEED", "Z_PK", "ZTITLE", "ZURL")
        },
        schemas: { _, tables in
            let date = tables.optional("ZARTICLE", "ZPUBLISHEDDATE", as: "item")
            // If a feed gave no date, this column is the moment of parsing. Dates of feeds are in whole seconds.
            let isGiven = "\(date) = CAST(\(date) AS INTEGER)"
            return [
                ReaderSchema(
                    tables: "ZARTICLE AS item LEFT JOIN ZFEED AS feed ON feed.Z_PK = item.ZFEED",
                    rowID: "item.Z_PK", isRead: "item.ZISREAD", isStarred: "item.ZISBOOKMARKED",
                    // RSSium's own id changes at each refresh.
                    guid: "coalesce(nullif(item.ZURL, ''), feed.ZURL || '#' || item.ZTITLE)", url: "item.ZURL",
                    title: "item.ZTITLE", summary: tables.optional("ZARTICLE", "ZSUMMARY", as: "item"),
                    content: "item.ZCONTENT", author: tables.optional("ZARTICLE", "ZAUTHOR", as: "item"),
                    source: "feed.ZTITLE",
                    publishedAt: "CASE WHEN \(isGiven) THEN \(date) + \(AppStores.epoch) END",
                    arrivedAt: "CASE WHEN NOT \(isGiven) THEN \(date) + \(AppStores.epoch) END")
            ]
        })
}

/// The paths of apps' stores on a Mac.
private enum AppStores {
    /// Core Data counts seconds from 2001-01-01.
    static let epoch = "978307200"

    /// The stores in Xcode's simulators, and that of a Mac app.
    static func defaultPaths(of name: String, in environment: ImportEnvironment) -> [String] {
        let devices = environment.home + "/Library/Developer/CoreSimulator/Devices"
        let simulated = ImportEnvironment.entries(of: devices).flatMap { device in
            ["Data/Application", "Shared/AppGroup"].flatMap {
                ImportEnvironment.entries(of: "\(device)/data/Containers/\($0)")
            }
        }
        return (simulated + [environment.home]).map { "\($0)/Library/Application Support/\(name)" }
            .filter { FileManager.default.fileExists(atPath: $0) || $0.hasPrefix(environment.home + "/Library/App") }
    }
}
