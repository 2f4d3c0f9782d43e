import Testing

@testable import PulseMarkup

/// What XMLRepair makes of broken XML, seen through the reader.
@Suite(.timeLimit(.minutes(2))) struct XMLReaderTests {
    /// The events as text: `<a b=c>text</>`.
    private func events(_ xml: String, unnested: [String] = []) -> String {
        var events = ""
        XMLReader.read(xml, unnested: unnested) { event in
            switch event {
            case .start(let tag): events += "<" + tag.name + (tag["k"].map { " k=" + $0 } ?? "") + ">"
            case .text(let bytes): events += String(decoding: bytes, as: UTF8.self)
            case .end: events += "</>"
            }
            return true
        }
        return events
    }

    /// What libxml2's own recovery loses: see `XMLRepair`.
    @Test(arguments: [
        ("<r>AT&T and 1 < 2</r>", "<r>AT&T and 1 < 2</>"),
        ("<r>caf&eacute;&nbsp;&#146;&#x41;&amp;&bogus;</r>", "<r>café\u{a0}’A&&bogus;</>"),
        ("<r><a>1<br>2</a><a>3</a></r>", "<r><a>1<br></>2</><a>3</></>"),
        ("<r><a>1<b>2</a><a>3</a></r>", "<r><a>1<b>2</></><a>3</></>"),
        ("<r><a k=v>1</a><a k='x>1</a></r>", "<r><a k=v>1</><a k='x>1</></>"),
        ("<r><a k='1' k='2' k=\"3>2\">x</a></r>", "<r><a k=1>x</></>"),
        ("<r><a k='1 < 2'>x</a></r>", "<r><a k=1 < 2>x</></>"),
        ("<r><![CDATA[a <b> & c]]></r>", "<r>a <b> & c</>"), ("<r><![CDATA[never closed</r>", "<r>never closed</r></>"),
        ("<r><a k='1\u{fffe}2'>x\u{ffff}</a><b/></r>", "<r><a k=1 2>x </><b></></>"),
        ("<r>a\u{1}b</r><r>after</r>", "<r>a b</>"), ("junk <r>a</q></r>", "<r>a</>"),
        ("<r>cut <b>of", "<r>cut <b>of</></>"),
        ("<!DOCTYPE r [<!ENTITY e 'x>'>]><?p?><!-- < --><r>&e;</r>", "<r>&e;</>"),
        // A tag may begin inside of a broken one.
        ("<r>a <b c=\"<i>\" <i>d</i></r>", "<r>a <b c=\"<i>\" <i>d</></></>"),
        ("<r><3 <- <= < b</r>", "<r><3 <- <= < b</>"),
    ])
    func whatIsBrokenIsReadAsItWasMeant(xml: String, events expected: String) { #expect(events(xml) == expected) }

    @Test func anEntryEndsTheOneThatWasNotClosed() {
        #expect(events("<r><i>1<i>2</r>", unnested: ["i"]) == "<r><i>1</><i>2</></>")
    }

    @Test func whatIsLostIsTold() {
        func loss(_ xml: String) -> XMLLoss { XMLReader.read(xml) { _ in true } }
        #expect(!loss("<r>a<b/></r>").isAny)
        #expect(loss("<r>a<b>").isTruncated)
        #expect(loss("<r>" + String(repeating: "<a>", count: 200) + "x</r>").isTooDeep)
        #expect(loss("<r>" + String(repeating: "<a>", count: 6000) + "x</r>").isCut)
        #expect(loss("<r>" + (0..<5000).map { "<n\($0)/>" }.joined() + "</r>").isCut)
    }

    @Test func readingStopsWhenItIsToldTo() {
        var count = 0
        XMLReader.read("<r>" + String(repeating: "<a/>", count: 100) + "</r>") { _ in
            count += 1
            return count < 5
        }
        #expect(count == 5)
    }
}
