public import PulseCore

/// What did not fail as it has to.
public struct WrongFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// Holds a body to failing in one way.
///
/// - Parameters:
///   - words: Each has to be in what the user is told.
///   - hint: Words of the hint; nil: whatever it is.
/// - Returns: The error, for what else is to be known of it.
@discardableResult
public func fails<Result: ~Copyable>(
    _ code: PulseError.Code, _ words: String..., hint: String? = nil, file: String = #fileID, line: Int = #line,
    _ body: () throws -> Result
) throws -> PulseError {
    let failure: any Error
    do {
        _ = try body()
        throw WrongFailure("\(file):\(line): nothing failed")
    } catch {
        failure = error
    }
    return try checked(failure, code, words, hint: hint, at: "\(file):\(line)")
}

@discardableResult
public func fails<Result: ~Copyable>(
    _ code: PulseError.Code, _ words: String..., hint: String? = nil, file: String = #fileID, line: Int = #line,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async throws -> PulseError {
    let failure: any Error
    do {
        _ = try await body()
        throw WrongFailure("\(file):\(line): nothing failed")
    } catch {
        failure = error
    }
    return try checked(failure, code, words, hint: hint, at: "\(file):\(line)")
}

private func checked(
    _ failure: any Error, _ code: PulseError.Code, _ words: [String], hint: String?, at place: String
) throws -> PulseError {
    if failure is WrongFailure { throw failure }
    guard let error = failure as? PulseError, error.code == code,
        words.allSatisfy({ error.description.contains($0) }),
        hint.map({ error.hint?.description.contains($0) == true }) ?? true
    else {
        let wanted = ([hint ?? ""] + words).filter { !$0.isEmpty }.map { "“\($0)”" }.joined(separator: ", ")
        throw WrongFailure("\(place): not \(code) with \(wanted), but: \(failure)")
    }
    return error
}

/// The error that a body ends with; nil where it succeeds.
public func failure<Result: ~Copyable>(_ body: () throws -> Result) -> PulseError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error.asPulseError
    }
}

public func failure<Result: ~Copyable>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async -> PulseError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error.asPulseError
    }
}

extension PulseError {
    /// Whether the error is of this code with all of these words in what the user is told.
    public func says(_ code: Code, _ words: String...) -> Bool {
        self.code == code && words.allSatisfy { description.contains($0) }
    }
}

extension PulseError? {
    /// As of an error; false where there is none.
    public func says(_ code: PulseError.Code, _ words: String...) -> Bool {
        self?.code == code && words.allSatisfy { self?.description.contains($0) == true }
    }
}
