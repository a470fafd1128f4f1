"""The same elements otherwise arranged; reading, writing and making them."""
