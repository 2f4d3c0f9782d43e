import Foundation
import PulseTestSupport
import Testing

@testable import PulseApp

@Suite(.timeLimit(.minutes(20))) struct LocationsTests {
    @Test func theXDGFoldersAndTheirDefaults() {
        let plain = Locations(environment: ["HOME": "/home/ana"], executable: "/nowhere/pulse-digest")
        #expect(plain.store == "/home/ana/.local/share/pulse-digest/history.sqlite")
        #expect(plain.models == "/home/ana/.local/share/pulse-digest/models")
        #expect(plain.configurationFile == "/home/ana/.config/pulse-digest/config.json")
        #expect(plain.cache == "/home/ana/.cache/pulse-digest")
        #expect(plain.resources == nil)
        let own = Locations(
            environment: ["HOME": "/h", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "relative", "XDG_CACHE_HOME": ""],
            executable: "/nowhere/pulse-digest")
        #expect(own.store == "/data/pulse-digest/history.sqlite")
        #expect(own.configuration == "/h/.config/pulse-digest")
        #expect(own.cache == "/h/.cache/pulse-digest")
    }

    @Test(arguments: [
        ("bin", "share/pulse-digest"), (".build/x86_64/release", ""),
    ])
    func whatCameWithTheProgramIsFoundFromIt(programs: String, resources: String) throws {
        let folder = try TemporaryFolder()
        let root = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
        let home = resources.isEmpty ? root : root + "/" + resources
        for name in ["models/manifest.json", "prompts/digest.en.md"] {
            try folder.write("", to: resources.isEmpty ? name : resources + "/" + name)
        }
        try folder.write("", to: programs + "/pulse-digest")
        // A link somewhere else leads to the same.
        try folder.link("link", to: root + "/" + programs + "/pulse-digest")
        #expect(Locations(environment: [:], executable: root + "/" + programs + "/pulse-digest").resources == home)
        #expect(Locations(environment: [:], executable: root + "/link").resources == home)
    }
}
