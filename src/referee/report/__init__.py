"""Results to tables, figures and one HTML file."""
