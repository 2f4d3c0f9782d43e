import Foundation
public import PulseCore
import PulsePlatform

extension Catalog {
    /// Removes a downloaded model and its cached hash. Returns the bytes that were freed.
    ///
    /// Throws `.usage` for the model that is installed with the program, `.unavailable` if nothing was downloaded,
    /// `.tryAgain` during a download, or the reason why a file cannot be removed.
    public func remove(_ entry: CatalogEntry) throws(PulseError) -> Int64 {
        let (file, part) = (userPath(of: entry), partPath(of: entry))
        guard PartFile.isFree(part) else {
            throw PulseError(
                .tryAgain, "\(entry.name) is being downloaded by another pulse-digest.",
                hint: "Stop that first, or wait for it.")
        }
        var (freed, isRemoved): (Int64, Bool) = (0, false)
        for path in [file, part] {
            // lstat: of a symbolic link, only the link is removed.
            var info = stat()
            guard lstat(path, &info) == 0 else { continue }
            Sidecar(of: path, in: cacheFolder).forget()
            try AtomicFile.remove(path)
            isRemoved = true
            // A file with another hard link still takes its space.
            if info.st_nlink == 1 { freed += Int64(info.st_size) }
        }
        if isRemoved { return freed }
        if status(of: entry).path != nil {
            throw PulseError(.usage, "\(entry.name) comes with the program, and is not removed.")
        }
        throw PulseError(.unavailable, "Nothing of \(entry.name) was downloaded, so nothing was removed.")
    }
}
