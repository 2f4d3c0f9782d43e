public import struct Foundation.Date

/// What a benchmark found, and on what.
public struct BenchmarkReport: Sendable, Hashable, Codable {
    public var date: Date
    /// The processor, its cores and the system, in one line.
    public var machine: String
    public var model: String
    public var threads: Int
    /// The load averages of the last minute, at the start and at the end.
    public var loads: [Double]
    public var rows: [BenchmarkRow]
    /// What the figures mean and do not mean: whole sentences.
    public var notes: [String]

    public init(
        date: Date, machine: String, model: String, threads: Int, loads: [Double], rows: [BenchmarkRow],
        notes: [String]
    ) {
        self.date = date
        self.machine = machine
        self.model = model
        self.threads = threads
        self.loads = loads
        self.rows = rows
        self.notes = notes
    }
}
