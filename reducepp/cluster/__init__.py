"""Data sets in parts: on the processes of this machine, or on a cluster of Dask workers."""
