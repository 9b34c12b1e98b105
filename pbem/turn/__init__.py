"""One turn, a straight line: from the bytes of a mail to the letters that answer it. Pure."""
