// All attributes of the dialect, which are printed and parsed together.
include "dialects/rt/RtAttention.td"
include "dialects/rt/RtAttributes.td"
