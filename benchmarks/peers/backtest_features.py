"""Features for Qlib out of one file of torch's: a tensor an instrument and day, today's columns first."""

import pandas as pd
import torch
from qlib.rl.data.base import BaseIntradayProcessedData, ProcessedDataProvider


class Day(BaseIntradayProcessedData):
    def __init__(self, today, yesterday):
        self.today, self.yesterday = today, yesterday


class TensorProvider(ProcessedDataProvider):
    def __init__(self, file):
        self.days = torch.load(file, weights_only=True)

    def get_data(self, stock_id, date, feature_dim, time_index):
        both = self.days[f"{stock_id} {date:%Y-%m-%d}"].numpy()
        return Day(*(pd.DataFrame(part, index=time_index) for part in (both[:, :feature_dim], both[:, feature_dim:])))
