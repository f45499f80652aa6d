"""ROC curves, their areas and hulls, and operating points."""
