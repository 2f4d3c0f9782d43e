public import Foundation

/// Runs a program to its end, and hands over what it wrote.
/// - Parameter isQuiet: its errors go nowhere; otherwise they go where this process's do.
public func output(of program: String, _ arguments: [String], isQuiet: Bool = false) throws -> (
    status: Int32, data: Data
) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = pipe
    if isQuiet { process.standardError = FileHandle.nullDevice }
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, data)
}
