"""Independent second opinions: the games worked out without Handful."""
