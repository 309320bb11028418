"""The live page: the Exposure Report computed where the files are, in the browser, by this same Python."""
