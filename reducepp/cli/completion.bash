_reducepp() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
  local command="" flags="" values=""
  [ "$COMP_CWORD" -eq 1 ] || command="${COMP_WORDS[1]}"
  [ "$previous" != = ] || previous="${COMP_WORDS[COMP_CWORD-2]}"
  [ "$current" != = ] || current=""
  case "$command" in
@flags@
  esac
  case "$command $previous" in
@values@
  esac
  [ -n "$command" ] || values="@commands@"

  if [[ "$current" == -* ]]; then values="$flags"; fi
  COMPREPLY=($(compgen -W "$values" -- "$current"))
  if [ ${#COMPREPLY[@]} -eq 0 ] || [ "$previous" = --profile ]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _reducepp reducepp
