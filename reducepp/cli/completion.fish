function __reducepp_at
  set -l typed (commandline -opc)
  test "$typed[2]" = "$argv[1]"; and test -z "$argv[2]" -o "$typed[-1]" = "$argv[2]"
end
@lines@
