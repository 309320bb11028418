"""What fails: the compiled facility, the cascade, the strict electrical check and the sweep."""
