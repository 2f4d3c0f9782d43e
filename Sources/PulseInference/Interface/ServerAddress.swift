import Foundation
public import PulseCore

/// The address of a ggml RPC server, as the user gave it: `192.168.1.20:50052` or `tower.local:50052`.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    public let host: String
    public let port: UInt16

    /// ggml-rpc.h: GGML_RPC_MAX_SERVERS.
    public static let most = 16

    /// Why a text is not such an address: the end of a sentence.
    public struct Fault: Error, Hashable { public let words: Message }

    public init(_ text: String) throws(Fault) {
        // ggml-rpc.cpp splits at the first colon and asks for IPv4 addresses only.
        guard !text.hasPrefix("["), text.count(where: { $0 == ":" }) <= 1 else {
            throw Fault(words: "speaks IPv4 only: name the host, or its IPv4 address, not “\(text)”.")
        }
        let sides = text.split(separator: ":", omittingEmptySubsequences: false)
        guard sides.count == 2, let port = UInt16(sides[1]), port > 0, sides[1].allSatisfy(\.isNumber) else {
            throw Fault(words: "takes HOST:PORT, with a port from 1 to 65535, not “\(text)”.")
        }
        let host = sides[0]
        guard (1...253).contains(host.count), let first = host.first, first != "-", first != ".",
            host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) })
        else { throw Fault(words: "takes HOST:PORT, and “\(host)” is no name of a host.") }
        self.host = String(host).lowercased()
        self.port = port
    }

    public var description: String { "\(host):\(port)" }
}
