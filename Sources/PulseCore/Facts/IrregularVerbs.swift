/// The past of English verbs that do not end in “ed”, so that “won” and “win” are one word.
enum IrregularVerbs {
    static let bases: [String: String] = {
        var bases: [String: String] = [:]
        for verb in table.split(separator: "\n") {
            let forms = verb.split(separator: " ").map(String.init)
            for form in forms.dropFirst() { bases[form] = forms[0] }
        }
        return bases
    }()

    private static let table = """
        arise arose arisen
        beat beaten
        become became
        begin began begun
        bite bit bitten
        blow blew blown
        break broke broken
        bring brought
        build built
        burn burnt
        buy bought
        catch caught
        choose chose chosen
        come came
        deal dealt
        draw drew drawn
        drink drank drunk
        drive drove driven
        eat ate eaten
        fall fell fallen
        feed fed
        feel felt
        fight fought
        find found
        fly flew flown
        forbid forbade forbidden
        forget forgot forgotten
        freeze froze frozen
        get got gotten
        give gave given
        go went gone
        grow grew grown
        hear heard
        hide hid hidden
        hold held
        keep kept
        know knew known
        lead led
        leave left
        lend lent
        lose lost loss
        make made
        mean meant
        meet met
        pay paid
        ride rode ridden
        ring rang rung
        rise rose risen
        run ran
        say said
        see saw seen
        seek sought
        sell sold sale sales
        send sent
        shake shook shaken
        shoot shot
        show shown
        shrink shrank shrunk
        sing sang sung
        sink sank sunk
        sleep slept
        speak spoke spoken
        spend spent
        spring sprang sprung
        stand stood
        steal stole stolen
        stick stuck
        strike struck stricken
        swear swore sworn
        sweep swept
        swim swam swum
        take took taken
        teach taught
        tear tore torn
        tell told
        think thought
        throw threw thrown
        understand understood
        wear wore worn
        weave wove woven
        win won
        withdraw withdrew withdrawn
        write wrote written
        """
}
