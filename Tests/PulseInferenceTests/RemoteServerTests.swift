import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// Layers on real RPC servers. One engine at a time has servers, so these run one after another.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: RPCServer.isThere, "\(RPCServer.absence)"))
struct RemoteServerTests {
    private func texts(_ servers: [RPCServer], layers: Int? = nil) async throws -> ([String], ModelDescription) {
        let thread = PinnedThread()
        // The library writes to a server that has hung up; the program ignores the signal altogether.
        await thread.run {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
        let options = EngineOptions(
            modelPath: Repository.nanoModel, sequences: 2, threads: 1,
            servers: try servers.map { try RPCAddress($0.address) }, gpuLayers: layers)
        let engine = try await Engine.load(options, on: thread, now: Fixture.clock)
        let requests = ["The harbour will be closed in March.", "The market stays in the square."].map {
            Fixture.request($0, tokens: 24)
        }
        return (try await engine.answers(to: requests).map(\.text), engine.model)
    }

    @Test func theTextIsTheSameWhereverTheLayersAre() async throws {
        let (here, plain) = try await texts([])
        #expect(plain.plan?.footprint.placement?.usesServers != true)
        let servers = [try RPCServer(), try RPCServer()]
        let (there, model) = try await texts(servers)
        #expect(there == here)
        let placement = try #require(model.plan?.footprint.placement)
        #expect(placement.layers == placement.allLayers && placement.shares.count == 2)
        #expect(Set(placement.shares.map(\.device.name)) == Set(servers.map(\.address)))
        // They are free again for the next.
        let (some, partly) = try await texts(servers, layers: 2)
        #expect(some == here && partly.plan?.footprint.placement?.layers == 2)
    }

    @Test func aServerThatDiesIsAnErrorAndNotTheEnd() async throws {
        let server = try RPCServer(computations: 3)
        try await fails(.tryAgain, "The RPC server \(server.address) ended the connection") {
            try await texts([server])
        }
    }

    /// More than a number of 63 bits is no memory at all.
    @Test(arguments: [(.max, 0), (1 << 63, 0), (1 << 63 - 1, 1)] as [(UInt64, Int)])
    func aServerMayClaimAnyMemory(memory: UInt64, shares: Int) async throws {
        let (written, model) = try await texts([try RPCServer(memory: memory)])
        #expect(written.count == 2)
        #expect(model.plan?.footprint.placement?.shares.count == shares)
    }

    @Test func nobodyIsThere() async throws {
        let free = try RPCServer()
        let address = try RPCAddress(free.address)
        withExtendedLifetime(consume free) {}
        try await fails(.tryAgain, "cannot be reached: ") {
            try await Engine.load(EngineOptions(modelPath: Repository.nanoModel, threads: 1, servers: [address]))
        }
    }
}
