"""The words that cinta has for people, in English, Spanish and Portuguese."""
