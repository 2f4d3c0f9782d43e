import Testing

/// The suites that start processes, one after another. Between its fork and its exec, a child of one test holds the
/// descriptors of all: a lock of another test would seem to be held, and a script that was just written to be busy.
@Suite(.serialized, .timeLimit(.minutes(20))) enum RealProcesses {}
