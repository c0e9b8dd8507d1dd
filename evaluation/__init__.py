"""How good a reduction is: validity, agreement, information kept, labelled pairs, reports."""
