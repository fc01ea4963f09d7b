"""Vectors of texts from models."""
