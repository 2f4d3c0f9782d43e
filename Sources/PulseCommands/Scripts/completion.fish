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
