"""kozyr: an engine framework for trick-taking card games."""
