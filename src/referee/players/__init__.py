"""The seats' protocols, and the players that fill them."""
