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
