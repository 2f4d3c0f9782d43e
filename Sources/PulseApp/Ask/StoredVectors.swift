import PulseCore
import PulseDigest
import PulseStore

/// The articles of the history that have vectors, by how near they are to something.
struct StoredVectors: Sendable {
    let open: @Sendable (Store.Access) throws(PulseError) -> Store

    struct Near {
        let reading: Reading
        /// Of each of its passages.
        let cosines: [Float]
        var best: Double { Double(cosines.max() ?? -1) }
    }

    /// The nearest first.
    ///
    /// - Parameters:
    ///   - least: Without those whose best passage is further off.
    ///   - cosines: Of the stored vectors of one article.
    func nearest(
        in scope: SearchScope = SearchScope(), most: Int, atLeast least: Float = -1,
        by cosines: (UnsafeRawBufferPointer) -> [Float]
    ) throws(PulseError) -> [Near] {
        let store = try open(.readOnly)
        var found: [(row: Int64, best: Float, cosines: [Float])] = []
        try store.eachVector(form: PassageVectors.form, in: scope) { row, bytes in
            let all = cosines(bytes)
            if let best = all.max(), best >= least { found.append((row, best, all)) }
        }
        let nearest = found.sorted { $0.best > $1.best }.prefix(most)
        let readings = try store.readings(inRows: nearest.map(\.row))
        // A row that was deleted meanwhile would shift the others.
        guard readings.count == nearest.count else { return [] }
        return zip(readings, nearest).map { Near(reading: $0, cosines: $1.cosines) }
    }

    /// Whether nothing has any: then there is no need for an encoder.
    func isEmpty() throws(PulseError) -> Bool { try open(.readOnly).hasNoVectors(form: PassageVectors.form) }
}
