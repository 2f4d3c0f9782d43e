#if os(Linux)
    import Foundation

    extension LoopbackSocket {
        static func newStream() -> Int32 {
            socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }

        static func loopbackAddress() -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            return address
        }

        func ignoreBrokenPipes() {}

        func sendQuietly(_ bytes: UnsafeRawBufferPointer) -> Int {
            Foundation.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }
#endif
