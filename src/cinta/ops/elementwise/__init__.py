"""What is done to each element by itself."""
