"""How fast kozyr is, beside what it should be compared with."""
