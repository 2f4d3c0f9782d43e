import Foundation
import PulseCore
import PulseTestSupport

@testable import PulseStore

/// 2026-03-01T12:00:00Z, the now of these tests.
let noon = Date(timeIntervalSince1970: 1_772_366_400)

func hoursAgo(_ hours: Double) -> Date { noon.addingTimeInterval(-hours * 3600) }

func article(
    _ id: String, title: String? = nil, url: String? = nil, summary: String = "", content: String = "",
    source: String = "The Gazette", category: PulseCore.Category = Category("world")
) -> Article {
    Article(
        id: id, url: url, title: title ?? "Title of \(id)", summary: summary, content: content, source: source,
        category: category)
}

func reading(_ article: Article, at date: Date = noon, origin: String = "jsonl", isExact: Bool = true) -> Reading {
    Reading(article: article, readAt: date, origin: origin, isExact: isExact)
}

func reading(_ id: String, at date: Date = noon, origin: String = "jsonl", isExact: Bool = true) -> Reading {
    reading(article(id), at: date, origin: origin, isExact: isExact)
}

/// A store in a folder of its own, and the folder, which must be kept as long as the store is used.
struct Scratch {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("history.sqlite")
    }

    func open(
        _ access: Store.Access = .readWrite, busyTimeout: Duration = .milliseconds(50),
        migrations: [Migration] = Migration.all
    ) throws(StoreError) -> Store {
        try Store(at: path, access: access, busyTimeout: busyTimeout, migrations: migrations)
    }

    /// The code of the error that opening ends with, nil where it opens.
    func failure(
        _ access: Store.Access = .readWrite, busyTimeout: Duration = .milliseconds(50),
        migrations: [Migration] = Migration.all
    ) -> StoreError.Code? {
        do throws(StoreError) {
            let store = try open(access, busyTimeout: busyTimeout, migrations: migrations)
            _ = consume store
            return nil
        } catch {
            return error.code
        }
    }
}

/// The code of the error that the body ends with, nil where it succeeds.
func failure<Result>(_ body: () throws(StoreError) -> Result) -> StoreError.Code? {
    do throws(StoreError) {
        _ = try body()
        return nil
    } catch {
        return error.code
    }
}
