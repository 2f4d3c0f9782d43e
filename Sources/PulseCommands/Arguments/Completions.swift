import PulseCore

/// The scripts that connect the shells' completion with `complete-values`, which knows the answers. So they stay the
/// same while commands and options change.
enum Completions {
    enum Shell: String, CaseIterable { case bash, zsh, fish }

    static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// Readline cuts words at `=` and `:`, which are put together again for the program, and what stands before the
    /// last of them is left out of the answers. It keeps quotation marks, which are taken off.
    private static let bash = #"""
        # Completion of pulse-digest for bash.
        _pulse_digest() {
            local words=() word current prefix quote="" glue="" i
            for ((i = 1; i <= COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                if ((${#words[@]})) && [[ $glue || $word == [=:]* ]]; then
                    words[${#words[@]}-1]+=$word
                else
                    words+=("$word")
                fi
                if [[ $word == *[=:] ]] && ((i < COMP_CWORD)); then glue=1; else glue=""; fi
            done
            current=${words[${#words[@]}-1]}
            word=${COMP_WORDS[COMP_CWORD]}
            if [[ $word == [=:]* ]]; then prefix=$current; else prefix=${current%"$word"}; fi
            if [[ $word == [\"\']* ]]; then quote=1; fi
            for i in "${!words[@]}"; do
                word=${words[i]//\\/}
                word=${word//\"/}
                words[i]=${word//\'/}
            done
            COMPREPLY=()
            while IFS=$'\t' read -r word _; do
                if [[ $word == :files ]]; then
                    compopt -o default 2>/dev/null
                    continue
                fi
                word=${word#"$prefix"}
                [[ $quote ]] || printf -v word %q "$word"
                COMPREPLY+=("$word")
            done < <("$1" complete-values -- "${words[@]}" 2>/dev/null)
        }
        complete -o nosort -F _pulse_digest pulse-digest 2>/dev/null || complete -F _pulse_digest pulse-digest

        """#

    private static let zsh = #"""
        #compdef pulse-digest
        # Completion of pulse-digest for zsh: as a file _pulse-digest in a folder of fpath, or by source.
        _pulse_digest() {
            local line files=""
            local -a candidates
            for line in "${(@f)$("${(Q)words[1]}" complete-values -- \
                "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
                if [[ $line == :files ]]; then
                    files=1
                elif [[ -n $line ]]; then
                    candidates+=("${${line%%$'\t'*}//:/\\:}${${(M)line:#*$'\t'*}:+:${line#*$'\t'}}")
                fi
            done
            (( $#candidates )) && _describe -V 'pulse-digest' candidates
            if [[ -n $files ]]; then
                [[ $PREFIX == --*=* ]] && compset -P 1 '*='
                _files
            fi
        }
        if [[ $funcstack[1] == _pulse-digest ]]; then
            _pulse_digest "$@"
        else
            (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
            compdef _pulse_digest pulse-digest
        fi

        """#

    private static let fish = #"""
        # Completion of pulse-digest for fish.
        function __pulse_digest_complete
            set -l words (commandline -opc)
            set -l program $words[1]
            set -e words[1]
            set -l current (commandline -ct)
            # Without the quotation mark that is still open, and without backslashes.
            set -l word (string trim -l -c "'\"" -- "$current" | string replace -a '\\' '')
            for line in ($program complete-values -- $words "$word" 2>/dev/null)
                if test "$line" = :files
                    set -l name (string match -r '^--[^=]*=' -- "$current")
                    for file in (__fish_complete_path (string replace -- "$name" '' "$current"))
                        echo -- "$name$file"
                    end
                else
                    echo -- $line
                end
            end
        end
        complete -c pulse-digest -k -f -a '(__pulse_digest_complete)'

        """#
}

extension Command {
    static let completions = Command(
        "completions", operands: "<bash|zsh|fish>", arity: 1...1,
        summary: "print a completion script for your shell",
        details: """
            make install puts it where the shell finds it. To do so by hand:

              pulse-digest completions bash > ~/.local/share/bash-completion/completions/pulse-digest
              pulse-digest completions zsh > "${fpath[1]}/_pulse-digest"
              pulse-digest completions fish > ~/.config/fish/completions/pulse-digest.fish

            For this session only, in bash and zsh: source <(pulse-digest completions bash); in fish: pulse-digest \
            completions fish | source.
            """
    ) { context throws(PulseError) in
        guard let shell = Completions.Shell(rawValue: context.operands[0]) else {
            throw PulseError(.usage, "There are completions for bash, zsh and fish, not for “\(context.operands[0])”.")
        }
        try context.console.write(Completions.script(for: shell))
    }.withoutHistory()
}
