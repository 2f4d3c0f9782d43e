# Completion of pulse-digest for bash.
_pulse_digest() {
    local words=() abouts=() word about current prefix quote="" glue="" i
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
    while IFS=$'\t' read -r word about; do
        if [[ $word == :files ]]; then
            compopt -o default 2>/dev/null
            continue
        fi
        word=${word#"$prefix"}
        [[ $quote ]] || printf -v word %q "$word"
        COMPREPLY+=("$word")
        abouts+=("$about")
    done < <("$1" complete-values -- "${words[@]}" 2>/dev/null)
    # Where candidates are listed (bash(1), COMP_TYPE), each gets its meaning: a number alone says nothing.
    if ((${#COMPREPLY[@]} > 1)) && [[ $COMP_TYPE == 63 || $COMP_TYPE == 33 ]]; then
        for i in "${!COMPREPLY[@]}"; do
            [[ ! ${abouts[i]} ]] || COMPREPLY[i]+="  (${abouts[i]:0:${COLUMNS:-80} - 20})"
        done
    fi
}
complete -o nosort -F _pulse_digest pulse-digest 2>/dev/null || complete -F _pulse_digest pulse-digest
