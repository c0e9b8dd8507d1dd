"""Search engines, one small file each: request address in, organic hits out."""
