"""The world that ships: scenes of icons whose truth is known."""
