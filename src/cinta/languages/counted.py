"""Numbers of things, in English."""


def counted(count: int, what: str) -> str:
    """A number of things.

    >>> from cinta.languages.counted import counted
    >>> counted(1, "file"), counted(2, "file")
    ('1 file', '2 files')
    """
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
