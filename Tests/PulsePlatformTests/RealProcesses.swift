import Testing

/// The suites that start processes, one after another: between its fork and its exec, a child of one test holds the
/// descriptors of all. A lock of another test would seem to be held, and a script just written could not be run.
@Suite(.serialized, .timeLimit(.minutes(20))) enum RealProcesses {}
