// swift-tools-version: 6.2
import PackageDescription

/// Every target of the project is held to the same: Swift 6 mode and no warnings left standing.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// For modules that work on long texts: without the optimizer, most of the tests' time is theirs.
let optimized = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// For the command line, which only calls what is below it: the optimizer would take a fifth of a build's time for it,
/// and no command is slower without it by more than 2 ms.
let unoptimized = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The modules of the program, bottom to top. Nothing below imports anything above it, and the modules in the middle
/// never import one another. There are no package dependencies, and there never will be: what is not ours comes
/// from the toolchain or from a C library through one of the system modules.
let package = Package(
    name: "pulse-digest",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "pulse-digest", targets: ["pulse-digest"])],
    targets: [
        // C libraries: one module each, so that each header is imported in one place.
        .systemLibrary(name: "CLlama", pkgConfig: "llama"),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CXML", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // Pure values: no C, no input or output.
        .target(
            name: "PulseText",
            resources: [.embedInCode("Lists")], swiftSettings: optimized),
        .target(
            name: "PulseCore", dependencies: ["PulseText"], resources: [.embedInCode("Languages")],
            swiftSettings: optimized),

        // The one border to the machine: files, locks, processes, SQLite files and the network.
        .target(
            name: "PulsePlatform", dependencies: ["CCurl", "CSQLite", "PulseCore", "PulseText"], swiftSettings: settings
        ),
        // Articles out of what publishers write.
        .target(
            name: "PulseMarkup", dependencies: ["CXML", "PulseCore", "PulseText"],
            resources: [
                .embedInCode("Lists/boilerplate.txt"), .embedInCode("Lists/boilerplate-lists.txt"),
                .embedInCode("Lists/charsets.txt"),
                .embedInCode("Lists/dates.txt"), .embedInCode("Lists/html-elements.txt"),
                .embedInCode("Lists/html-entities.txt"),
            ],
            swiftSettings: optimized,
            // In glibc, iconv is a part of the C library.
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),

        // The modules in the middle, which never import one another.
        .target(
            name: "PulseStore", dependencies: ["CCrypto", "PulseCore", "PulsePlatform", "PulseText"],
            swiftSettings: settings),
        .target(
            name: "PulseSources",
            dependencies: ["CXML", "CZlib", "PulseCore", "PulseMarkup", "PulsePlatform", "PulseText"],
            resources: ["address-words", "field-names", "page-words"].map { .embedInCode("Lists/\($0).txt") },
            swiftSettings: optimized),
        // Stories, sections and prompts, and whether a story bears a model's sentence out.
        .target(
            name: "PulseDigest", dependencies: ["PulseCore", "PulseText"], resources: [.embedInCode("Lists")],
            swiftSettings: optimized),
        .target(
            name: "PulseInference", dependencies: ["CLlama", "PulseCore", "PulseText"], swiftSettings: optimized),
        .target(
            name: "PulseModels", dependencies: ["CCrypto", "PulseCore", "PulsePlatform", "PulseText"],
            swiftSettings: settings),
        .target(
            name: "PulseRendering", dependencies: ["PulseCore", "PulseText"], resources: [.embedInCode("Web/page.css")],
            swiftSettings: optimized),

        // The use cases: importing, feeds, making a digest, mailing it, asking. They know no terminal and no arguments.
        .target(
            name: "PulseApp",
            dependencies: [
                "PulseCore", "PulseDigest", "PulseInference", "PulseModels", "PulsePlatform", "PulseRendering",
                "PulseSources", "PulseStore", "PulseText",
            ],
            resources: [.embedInCode("Lists")], swiftSettings: settings),

        // The command line, as a library so that it can be tested; the program is its `main`.
        .target(
            name: "PulseCommands",
            dependencies: [
                "PulseApp", "PulseCore", "PulseDigest", "PulseInference", "PulseModels", "PulsePlatform",
                "PulseRendering", "PulseSources", "PulseStore", "PulseText",
            ],
            resources: ["bash", "fish", "zsh"].map { .embedInCode("Scripts/completion.\($0)") } + [
                .embedInCode("Scripts/pulse-digest.1.in")
            ],
            swiftSettings: unoptimized),
        .executableTarget(name: "pulse-digest", dependencies: ["PulseCommands"], swiftSettings: settings),

        // What `make bench` runs; no part of the program.
        .executableTarget(
            name: "pulse-bench",
            dependencies: [
                "CLlama", "PulseApp", "PulseCore", "PulseDigest", "PulseInference", "PulseRendering",
                "PulsePlatform", "PulseSources", "PulseTestSupport", "PulseText",
            ],
            path: "Tests/Benchmarks", exclude: ["Peers", "Texts"], swiftSettings: settings),

        // Tests: one folder a target, and one suite that drives the built program.
        .target(
            name: "PulseTestSupport", dependencies: ["PulseCore"], path: "Tests/Support", swiftSettings: settings),
        // Whether the check of a story's sentences holds what it promises: `make eval`. Nobody installs it.
        .target(
            name: "PulseEvaluation",
            dependencies: [
                "PulseText", "PulseCore", "PulseDigest", "PulseInference", "PulseRendering", "PulseSources",
                "PulseTestSupport",
            ],
            path: "Tests/Evaluation/Library", swiftSettings: settings),
        .executableTarget(
            name: "pulse-eval", dependencies: ["PulseDigest", "PulseEvaluation"], path: "Tests/Evaluation/Program",
            swiftSettings: settings),
        .testTarget(
            name: "EvaluationTests", dependencies: ["PulseEvaluation", "PulseDigest", "PulseCore"],
            swiftSettings: settings),
        // Mutated inputs through every parser: `make fuzz`. Nobody installs it.
        .target(
            name: "PulseFuzzing",
            dependencies: [
                "PulseText", "PulseCore", "PulseDigest", "PulseInference", "PulseMarkup", "PulsePlatform",
                "PulseSources", "PulseTestSupport",
            ],
            path: "Tests/Fuzz/Library", swiftSettings: settings),
        .executableTarget(
            name: "pulse-fuzz", dependencies: ["PulseFuzzing"], path: "Tests/Fuzz/Program", swiftSettings: settings),
        .testTarget(
            name: "FuzzTests", dependencies: ["pulse-fuzz", "PulseTestSupport"], swiftSettings: settings),
        .testTarget(name: "PulseTextTests", dependencies: ["PulseText", "PulseTestSupport"], swiftSettings: settings),
        .testTarget(name: "PulseCoreTests", dependencies: ["PulseCore", "PulseTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "PulseDigestTests",
            dependencies: ["PulseDigest", "PulseCore", "PulseInference", "PulseTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "PulseInferenceTests", dependencies: ["CLlama", "PulseInference", "PulseCore", "PulseTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "PulseModelsTests",
            dependencies: ["PulseCore", "PulseModels", "PulsePlatform", "PulseTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "PulseStoreTests", dependencies: ["PulseStore", "PulseCore", "PulsePlatform", "PulseTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "PulseMarkupTests", dependencies: ["PulseMarkup", "PulseCore", "PulseTestSupport", "PulseText"],
            swiftSettings: settings),
        .testTarget(
            name: "PulsePlatformTests",
            dependencies: ["CZlib", "PulseCore", "PulsePlatform", "PulseTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "PulseSourcesTests",
            dependencies: ["PulseCore", "PulsePlatform", "PulseSources", "PulseTestSupport", "PulseText"],
            swiftSettings: settings),
        .testTarget(
            name: "PulseRenderingTests",
            dependencies: ["PulseRendering", "PulseCore", "PulseText", "PulseTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "PulseAppTests",
            dependencies: [
                "PulseApp", "PulseCore", "PulseDigest", "PulseInference", "PulseModels", "PulsePlatform",
                "PulseRendering", "PulseSources", "PulseStore", "PulseTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PulseCommandsTests",
            dependencies: [
                "PulseApp", "PulseCommands", "PulseCore", "PulseInference", "PulsePlatform", "PulseRendering",
                "PulseSources",
                "PulseStore", "PulseText", "PulseTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BenchmarkTests",
            dependencies: [
                "pulse-bench", "PulseCore", "PulseDigest", "PulseInference", "PulseRendering", "PulseTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ProgramTests", dependencies: ["pulse-digest", "PulsePlatform", "PulseTestSupport"],
            swiftSettings: settings),
    ]
)
