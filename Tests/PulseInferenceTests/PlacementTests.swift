import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// Which layers other devices than the processor are given.
@Suite(.timeLimit(.minutes(20))) struct PlacementTests {
    private static let mebibyte: UInt64 = 1 << 20
    /// Ten blocks of 100 MiB and an output of 200.
    private static let layers = LayerSizes(
        blocks: Array(repeating: 100 * mebibyte, count: 10), output: 200 * mebibyte)

    private static func device(_ name: String, _ mebibytes: UInt64, shares: Bool = false) -> ComputeDevice {
        ComputeDevice(name: name, description: "", free: mebibytes << 20, server: nil, sharesMemory: shares)
    }

    /// 10 MiB of keys and values a block; 44 MiB of buffers, which leaves 300 MiB less than what is free.
    private static func placement(_ devices: [ComputeDevice], asked: Int? = nil) -> Placement {
        Placement(layers, cache: 100 << 20, buffers: 44 << 20, on: devices, asked: asked)
    }

    @Test func everythingWhereThereIsRoom() {
        let placement = Self.placement([Self.device("a", 1600)])
        #expect(placement.layers == 11 && placement.allLayers == 11)
        #expect(placement.shares.first?.bytes == 1300 << 20)
        #expect(placement.weightsElsewhere == 1200 << 20 && placement.cacheElsewhere == 100 << 20)
    }

    /// The output is always among what is given: it is the last layer.
    @Test(arguments: [(1599, 10), (1000, 5), (610, 2), (500, 1), (499, 0), (0, 0)] as [(UInt64, Int)])
    func asManyAsFit(mebibytes: UInt64, layers: Int) {
        let placement = Self.placement([Self.device("a", mebibytes)])
        #expect(placement.layers == layers)
        #expect(placement.shares.isEmpty == (layers == 0))
    }

    @Test func severalDevicesByTheirMemory() {
        let placement = Self.placement([Self.device("a", 1300), Self.device("b", 1300), Self.device("c", 100)])
        #expect(placement.shares.map(\.device.name) == ["a", "b"])
        #expect(placement.shares.map(\.layers).reduce(0, +) == 11)
        #expect(placement.shares.allSatisfy { $0.bytes <= 1000 << 20 })
    }

    /// Together they have it, where none has.
    @Test func noDeviceIsGivenMoreThanItHas() {
        for free in stride(from: 300, through: 2000, by: 50) as StrideThrough<UInt64> {
            let devices = [Self.device("a", free), Self.device("b", free * 2 / 3)]
            for share in Self.placement(devices).shares { #expect(share.bytes + (300 << 20) <= share.device.free) }
        }
    }

    @Test(arguments: [0, 3, 11, 500]) func aNumberThatWasAskedForIsTaken(asked: Int) {
        #expect(Self.placement([Self.device("a", 10)], asked: asked).layers == min(asked, 11))
    }

    @Test func sharedMemoryIsThisMachines() {
        let placement = Self.placement([Self.device("a", 4000, shares: true)])
        #expect(placement.layers == 11 && placement.weightsElsewhere == 0 && placement.cacheElsewhere == 0)
    }

    /// The embedding's table stays here, where it is looked up.
    @Test func anOutputThatIsTheEmbedding() {
        var layers = Self.layers
        layers.sharesOutput = true
        let placement = Placement(layers, cache: 0, buffers: 0, on: [Self.device("a", 4000)], asked: nil)
        #expect(placement.shares.first?.bytes == 1200 << 20)
        #expect(placement.weightsElsewhere == 1000 << 20)
    }

    @Test func theSizesOfAFile() async throws {
        let path = Repository.nanoModel
        let sizes = try #require(LayerSizes(path: path))
        let all = await PinnedThread().run { () -> UInt64? in
            LlamaLibrary.start(logsToStandardError: false)
            return (try? Model(path: path, reading: .simulated))?.size
        }
        let blocks = sizes.blocks.reduce(0, +)
        #expect(sizes.blocks.allSatisfy { $0 > 0 } && sizes.output > 0)
        #expect(try blocks < #require(all))
        #expect(LayerSizes(path: #filePath) == nil)
    }

    /// What lies elsewhere is not asked of this machine; what lies nowhere is refused, with the figures.
    @Test func aModelThatOutgrowsTheMachine() throws {
        let request = ContextRequest(
            EngineOptions(modelPath: "", contextLength: 1024, sequences: 1, cacheType: .f16), trainedLength: 4096)
        func plan(_ devices: [ComputeDevice]) throws -> MachinePlan {
            try MachinePlan(request, budget: MemoryBudget(machine: 600 << 20)) { _ in
                let placement = Self.placement(devices)
                return Footprint(
                    weights: (1300 << 20) - placement.weightsElsewhere, cache: (100 << 20) - placement.cacheElsewhere,
                    buffers: 44 << 20, placement: placement)
            }
        }
        #expect(try plan([Self.device("a", 1600)]).footprint.placement?.layers == 11)
        try fails(.tryAgain, "MiB on a", "and the machine has 600 MiB") { try plan([Self.device("a", 600)]) }
    }

    // MARK: - Addresses

    @Test(arguments: ["192.168.1.20:50052", "tower.local:1", "Tower:65535", "a_b-c.d:80"])
    func addresses(text: String) throws { #expect(try RPCAddress(text).description == text.lowercased()) }

    @Test(arguments: [
        "", ":", "tower", "tower:", ":50052", "tower:0", "tower:65536", "tower:+80", "tower:80x", "-x:80", ".x:80",
        "to wer:80", "tower/x:80", "tower\u{1b}[31m:80", "[::1]:50052", "::1:50052", "fe80::1", "a:b:c", "tür:80",
    ])
    func notAddresses(text: String) { #expect(throws: RPCAddress.Fault.self) { try RPCAddress(text) } }
}
